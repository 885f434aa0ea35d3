import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readAudit } from './audit-report.ts'

const answer = (vulnerabilities: object) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { dependencies: { prod: 80, total: 85 } } })
const entry = (severity: string) => ({
  name: 'fastify',
  severity,
  isDirect: true,
  via: [{ title: 'Crash by a header', url: 'https://github.com/advisories/GHSA-1', severity }],
  range: '<5.12.9',
  fixAvailable: true,
})

describe('the report of known vulnerabilities', () => {
  test('a vulnerability report without findings states how many packages were checked', () =>
    expect(readAudit(answer({}))).toEqual({ lines: ['0 of 85 packages have known vulnerabilities.'], isBad: false }))

  test.each([
    ['low', false],
    ['moderate', false],
    ['high', true],
    ['critical', true],
  ])('a vulnerability of severity %s is listed, but only high and critical ones fail the check', (severity, isBad) => {
    expect(
      readAudit(answer({ fastify: entry(severity), avvio: { ...entry('info'), via: ['fastify'], range: '*' } })),
    ).toEqual({
      lines: [
        `${severity}: fastify <5.12.9: Crash by a header https://github.com/advisories/GHSA-1`,
        'info: avvio *: by fastify',
        '2 of 85 packages have known vulnerabilities.',
      ],
      isBad,
    })
  })

  test.each([
    [
      JSON.stringify({
        message: '405 Method Not Allowed - POST https://registry.example.com/-/npm/v1/security/advisories/bulk',
        statusCode: 405,
      }),
      '405 Method Not Allowed',
    ],
    [
      JSON.stringify({ message: 'request to https://registry.example.com/-/npm failed, reason: connect ECONNREFUSED' }),
      'request to … failed, reason: connect ECONNREFUSED',
    ],
    ['', 'no answer that can be read'],
    ['<html>', 'no answer that can be read'],
    ['{"vulnerabilities":{}}', 'no answer that can be read'],
  ])('if the registry does not respond, one line says so: %s', (stdout, reason) => {
    expect(readAudit(stdout)).toEqual({
      lines: [`No package was checked: the registry does not report vulnerabilities (${reason}).`],
      isBad: false,
    })
  })
})

test('the scripts that list packages and vulnerabilities ignore development dependencies', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect(scripts).toMatchObject({
    sbom: expect.stringMatching(/^npm sbom .*--omit dev/),
    vulnerabilities: 'node quality/conventions/vulnerabilities.ts',
  })
  expect(readFileSync('quality/conventions/vulnerabilities.ts', 'utf8')).toContain("'--omit=dev'")
})
