import { readFileSync } from 'node:fs'

/**
 * A file of this package by its path within it. This file is one folder below the package's own in the sources, in what is built and in
 * what is bundled: other files do not know where they will be.
 */
export const packageFile = (path: string): URL => new URL(`../${path}`, import.meta.url)

/** The version of this package. */
export const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { readonly version: string }
