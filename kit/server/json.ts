import type { ColumnType } from 'kysely'

/** A jsonb column. It is read as `T` but written as text, which both database drivers accept. */
export type Json<T> = ColumnType<T, string, string>
