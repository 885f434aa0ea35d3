import type { Suite } from '../suite.ts'
import { readSmsFile, type SmsFile } from './sms-file.ts'
import { smsSteps } from './sms.steps.ts'
import { openSmsWorld, type SmsWorld } from './sms-world.ts'

export const smsSuite: Suite<SmsFile, SmsWorld> = {
  readFile: readSmsFile,
  target: { url: 'SMS_URL' },
  open: openSmsWorld,
  steps: smsSteps,
}
