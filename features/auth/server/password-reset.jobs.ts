import type { JobDefinition } from '#kit/server/jobs.ts'
import type { AuthDeps } from './auth.deps.ts'
import { mailResetLinks } from './password-reset.ts'
import { mailResetLinkJob } from './password-reset.queue.ts'

export const passwordJobs = (deps: AuthDeps): JobDefinition[] => [
  {
    name: mailResetLinkJob,
    run: ({
      sealedEmail,
      requestId,
      sessionId,
    }: {
      sealedEmail: string
      requestId: string
      sessionId: string | null
    }) => mailResetLinks(deps, { email: deps.secrets.open(sealedEmail), requestId, sessionId }),
  },
]
