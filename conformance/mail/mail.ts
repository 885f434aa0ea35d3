import type { Suite } from '../suite.ts'
import { type MailFile, readMailFile } from './mail-file.ts'
import { mailSteps } from './mail.steps.ts'
import { type MailWorld, openMailWorld } from './mail-world.ts'

export const mailSuite: Suite<MailFile, MailWorld> = {
  readFile: readMailFile,
  target: { url: 'SMTP_URL' },
  open: openMailWorld,
  steps: mailSteps,
}
