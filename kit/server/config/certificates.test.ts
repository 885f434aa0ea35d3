import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { certificateFile, certificates } from '#quality/support/certificates.ts'
import { readCertificateExpiries } from './certificates.ts'

// One client certificate expires on 1 January 2126; the other expired on 1 January 2026.
const { client, endedClient } = certificates
const [before, after] = ['2026-01-01T00:00:00Z', '2126-01-01T00:00:00Z']

function fileWith(...parts: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'all.pem')
  writeFileSync(file, parts.join('\n'))
  return file
}
const endsOf = (env: Record<string, string>) =>
  readCertificateExpiries(env).map(({ setting, endsAt }) => `${setting} ${endsAt}`)

test.each(['NETWORK_TLS_CERT', 'SMS_TLS_CERT', 'OPERATOR_TLS_CERT'])(
  '%s expires as soon as a certificate in its chain does',
  (name) => {
    expect(endsOf({ [name]: fileWith(client.cert, endedClient.cert) })).toEqual([`${name} ${before}`])
  },
)

test.each(['NETWORK_TLS_CA', 'SMS_TLS_CA', 'NODE_EXTRA_CA_CERTS'])(
  'an expired CA in %s is ignored while another CA in the file is valid',
  (name) => {
    expect(endsOf({ [name]: fileWith(endedClient.cert, client.cert) })).toEqual([`${name} ${after}`])
  },
)

test('a certificate file counts as expired once every CA in it has expired', () => {
  expect(endsOf({ SMS_TLS_CA: certificateFile('ended-client.crt') })).toEqual([`SMS_TLS_CA ${before}`])
})

test('ignores a certificate file that is unreadable or contains no certificate', () => {
  expect(endsOf({ NETWORK_TLS_CERT: '/nowhere', SMS_TLS_CA: fileWith('no certificate') })).toEqual([])
})
