/** What the address of the page says of the project: loaded again, a tab shows the same one. */

const read = (name: string): string | null => new URL(location.href).searchParams.get(name)

/** The project that the address named when the page was loaded. */
export const ADDRESSED_PROJECT: string | null = read('project')

/** Whether the tab was asked to keep nothing. */
export const addressKeepsNothing = (): boolean => read('keep') === 'nothing'

/** Has the address name a project, or none. */
export const showAddress = (id: string | null, keepsNothing: boolean): void => {
  const address = new URL(location.href)
  const set = (name: string, value: string | null) =>
    value === null ? address.searchParams.delete(name) : address.searchParams.set(name, value)
  set('project', id)
  set('keep', keepsNothing ? 'nothing' : null)
  if (address.href !== location.href) history.replaceState(history.state, '', address)
}
