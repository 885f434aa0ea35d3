import type { AuthDeps } from '#features/auth/server/auth.deps.ts'

/** What the provider's own acts about a customer work with. */
export type CustomersDeps = Pick<AuthDeps, 'db' | 'clock' | 'jobs' | 'log' | 'market' | 'help' | 'accountParts'>
