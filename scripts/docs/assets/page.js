// What a page of the documentation does by script: pages behind a button, the theme, where one is, copying.
{
  const root = document.documentElement
  /** @type {<T extends HTMLElement = HTMLElement>(selector: string) => T} */
  const one = selector => {
    const found = document.querySelector(selector)
    if (found === null) throw new Error(`the page has no ${selector}`)
    return /** @type {any} */ (found)
  }

  const pages = one('.pages')
  const menu = one('.menu')
  menu.addEventListener('click', () => {
    const open = pages.classList.toggle('open')
    menu.setAttribute('aria-expanded', String(open))
  })
  const current = /** @type {HTMLElement | null} */ (pages.querySelector('[aria-current]'))
  if (current !== null) pages.scrollTop = current.offsetTop - pages.clientHeight / 2

  // Theme: that of the system until one is chosen.

  const theme = one('.theme')
  const system = matchMedia('(prefers-color-scheme: dark)')
  const dark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const nameTheme = () => {
    theme.textContent = dark() ? 'Light' : 'Dark'
    theme.title = `Use ${dark() ? 'light' : 'dark'} colours`
  }
  theme.addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark'
    try {
      localStorage.setItem('polyad-docs-theme', root.dataset.theme)
    } catch {
      // The choice then holds for this page.
    }
    nameTheme()
  })
  system.addEventListener('change', nameTheme)
  nameTheme()

  // Contents: closed where they stand above the text, and showing where one is.

  const contents = document.querySelector('.contents details')
  if (contents instanceof HTMLDetailsElement && matchMedia('(width < 75rem)').matches) contents.open = false
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('.contents a')])
  const headings = links.flatMap(link => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [])
  const showPlace = () => {
    const here = headings.findLast(heading => heading.getBoundingClientRect().top < 120)
    links.forEach((link, at) => {
      link.classList.toggle('here', here !== undefined && headings[at] === here)
    })
  }
  if (headings.length > 0) {
    addEventListener('scroll', showPlace, { passive: true })
    showPlace()
  }

  // Copying, where the browser allows it.

  if (navigator.clipboard !== undefined)
    for (const figure of document.querySelectorAll('.code')) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'copy'
      button.textContent = 'Copy'
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '')
        button.textContent = 'Copied'
        setTimeout(() => {
          button.textContent = 'Copy'
        }, 2000)
      })
      figure.append(button)
    }
}
