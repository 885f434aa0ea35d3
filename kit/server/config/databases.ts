import * as v from 'valibot'
import { hostsOf } from '../database-hosts.ts'
import { oneOf, type Reading, readSetting } from './setting.ts'

export type DatabaseSettings = {
  /** Null: the embedded one. */
  databaseUrl: string | null
  /** The same database as the role that owns its tables. */
  migrationDatabaseUrl: string | null
  /** Whether connections keep statements: not where a pooler hands them round that does not know of those. */
  keepsStatements: boolean
}

/** Which database, and how it is used. */
export function databaseSettings(read: Reading): DatabaseSettings {
  const [ours, owners] = [databaseUrl(read, 'DATABASE_URL'), databaseUrl(read, 'MIGRATION_DATABASE_URL')]
  if (owners && !ours) read.fault('MIGRATION_DATABASE_URL goes with DATABASE_URL, which is missing.')
  const keeps = readSetting(read, 'DATABASE_PREPARED_STATEMENTS', oneOf(['on', 'off']), 'on')
  return { databaseUrl: ours, migrationDatabaseUrl: owners, keepsStatements: keeps === 'on' }
}

const addressSchema = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://.'),
  v.rawCheck(({ dataset, addIssue }) => {
    const hosts = hostsOf(String(dataset.value))
    if ('fault' in hosts) addIssue({ message: hosts.fault })
  }),
)

function databaseUrl(read: Reading, name: string): string | null {
  readSetting(read, name, addressSchema, null)
  // A wrong address is not missing as well.
  return read.env[name] || null
}
