import { ChainLinks } from './chain.ts'
import type { LinkSetting, Links } from './links.ts'
import { NestedLinks } from './nested.ts'

/** The links of a setting for a number of classes. */
export const linksOf = (setting: LinkSetting, rank: number): Links =>
  setting.kind === 'chain' ? new ChainLinks(setting, rank) : new NestedLinks(setting, rank)

/** How many rows of `rank` numbers the tables take as a factor; the last may have room to spare. */
export const tableRows = (setting: LinkSetting, rank: number): number => Math.ceil(linksOf(setting, rank).size / rank)
