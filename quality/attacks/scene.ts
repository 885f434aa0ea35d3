import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { World } from '#quality/support/world.ts'
import type { Cast } from './cast.ts'
import type { Tries } from './tries.ts'

export type Scene = {
  world: World
  cast: Cast
  endpoints: readonly Endpoint[]
  tries: Tries
  /** Use more values, and more often. */ long: boolean
}

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
export const changesSomething = ({ method, csrf }: Endpoint): boolean => method !== 'GET' || csrf === true
export const fieldsOf = (schema: Endpoint['body']): string[] =>
  schema && 'entries' in schema ? Object.keys(schema.entries as object) : []
export const paramsOf = ({ path }: Endpoint): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
