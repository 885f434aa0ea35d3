import { expect, test } from 'vitest'
import { realNow } from '#kit/server/clock.ts'
import type { Log } from '#kit/server/log.ts'
import { logCertificates } from './certificate-log.ts'

test.each([
  [31, 'info: the certificates of SMS_TLS_CA are valid for 31 days'],
  [29, 'warn: a certificate of SMS_TLS_CA expires in 29 days'],
  [-1, 'error: a certificate of SMS_TLS_CA has expired: calls that need it fail'],
])('a certificate with %d days left is logged at start-up as "%s"', (days, line) => {
  const lines: string[] = []
  const say = (level: string) => (_facts: object, message: string) => void lines.push(`${level}: ${message}`)
  const log = { info: say('info'), warn: say('warn'), error: say('error') } as unknown as Log
  logCertificates(log, [{ setting: 'SMS_TLS_CA', endsAt: realNow().add({ hours: days * 24 + 1 }) }])
  expect(lines).toEqual([line])
})
