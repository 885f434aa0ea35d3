import type { AuthDeps } from '#features/auth/server/auth.deps.ts'

export type SecurityDeps = Pick<AuthDeps, 'db' | 'clock' | 'secrets'>
