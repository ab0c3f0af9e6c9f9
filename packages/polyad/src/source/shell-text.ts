/** A name as it must be typed: in quotes where it is not one plain word. */
export const typed = (name: string): string =>
  /^[\p{Letter}\p{Number}_.:%+-]+$/u.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`

/** A name in a list of names separated by commas. */
export const listed = (name: string): string => (/[",]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)
