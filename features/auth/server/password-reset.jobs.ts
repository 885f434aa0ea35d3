import type { JobDefinition } from '#kit/server/job-definitions.ts'
import type { AuthDeps } from './auth.deps.ts'
import { mailResetLinks } from './password-reset.ts'
import { mailResetLinkJob } from './password-reset.queue.ts'

export const passwordJobs = (deps: AuthDeps): JobDefinition[] => [
  {
    name: mailResetLinkJob,
    run: ({
      sealedEmail,
      sealedNext,
      ...request
    }: {
      sealedEmail: string
      /** Absent in jobs from before it was kept. */
      sealedNext?: string
      requestId: string
      sessionId: string | null
    }) =>
      mailResetLinks(deps, {
        ...request,
        email: deps.secrets.open(sealedEmail),
        next: sealedNext ? deps.secrets.open(sealedNext) : '/',
      }),
  },
]
