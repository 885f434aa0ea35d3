import type { CompiledQuery } from 'kysely'

const inPassing = new WeakSet<CompiledQuery>()

/** Has a statement sent whenever there is something else to send. */
export const sendInPassing = (query: CompiledQuery): void => void inPassing.add(query)

export const isInPassing = (query: CompiledQuery): boolean => inPassing.has(query)
