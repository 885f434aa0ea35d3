import type { Suite } from '../suite.ts'
import { readSmsFile, type SmsFile } from './sms-file.ts'
import { smsSteps } from './sms.steps.ts'
import { createSmsSuiteContext, type SmsSuiteContext } from './sms-suite-context.ts'

export const smsSuite: Suite<SmsFile, SmsSuiteContext> = {
  readFile: readSmsFile,
  target: { url: 'SMS_URL' },
  open: createSmsSuiteContext,
  steps: smsSteps,
}
