import type { ColumnType } from 'kysely'

/** A jsonb column: read as `T`, written as text, which both database drivers take the same way. */
export type Json<T> = ColumnType<T, string, string>
