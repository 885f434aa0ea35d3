import type { CompiledQuery, QueryResult } from 'kysely'

type Hear = (result: QueryResult<unknown>) => void

const inPassing = new WeakMap<CompiledQuery, Hear>()

/** Has a statement sent whenever there is something else to send, and what it answers told then. */
export const sendInPassing = (query: CompiledQuery, hear: Hear = () => {}): void => void inPassing.set(query, hear)

/** Who is to hear the answer of a statement that is sent in passing. */
export const hearerOf = (query: CompiledQuery): Hear | undefined => inPassing.get(query)

export const isInPassing = (query: CompiledQuery): boolean => inPassing.has(query)
