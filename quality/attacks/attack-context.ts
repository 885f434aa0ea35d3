import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { World } from '#quality/support/world.ts'
import type { AttackAccounts } from './attack-accounts.ts'
import type { AttackLog } from './attack-log.ts'

export type AttackContext = {
  world: World
  cast: AttackAccounts
  endpoints: readonly Endpoint[]
  tries: AttackLog
  /** Use more values, and more often. */ long: boolean
}

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
export const isWriteCall = ({ method, csrf }: Endpoint): boolean => method !== 'GET' || csrf === true
export const fieldsOf = (schema: Endpoint['body']): string[] =>
  schema && 'entries' in schema ? Object.keys(schema.entries as object) : []
export const paramsOf = ({ path }: Endpoint): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
