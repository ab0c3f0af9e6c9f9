export { FilterRows } from './filter/filter-rows.tsx'
