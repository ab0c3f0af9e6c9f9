import { table } from '../../state/store.ts'
import './data.css'
import { TableScreen } from './table-screen.tsx'
import { Welcome } from './welcome.tsx'

/** Opening a table, and saying what its columns are. */
export const DataScreen = () => (table.value === null ? <Welcome /> : <TableScreen opened={table.value} />)
