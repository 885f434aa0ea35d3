import type { Suite } from '../suite.ts'
import { type MailFile, readMailFile } from './mail-file.ts'
import { mailSteps } from './mail.steps.ts'
import { type MailSuiteContext, createMailSuiteContext } from './mail-suite-context.ts'

export const mailSuite: Suite<MailFile, MailSuiteContext> = {
  readFile: readMailFile,
  target: { url: 'SMTP_URL' },
  open: createMailSuiteContext,
  steps: mailSteps,
}
