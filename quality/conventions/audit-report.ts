import * as v from 'valibot'

const auditReportSchema = v.object({
  vulnerabilities: v.record(
    v.string(),
    v.object({
      severity: v.picklist(['info', 'low', 'moderate', 'high', 'critical']),
      range: v.string(),
      via: v.array(v.union([v.string(), v.object({ title: v.string(), url: v.string() })])),
    }),
  ),
  metadata: v.object({ dependencies: v.object({ total: v.number() }) }),
})

/**
 * Turns the output of `npm audit --json` into lines of text. `isBad` is true if there is a high or critical vulnerability, but not if the
 * registry does not respond.
 */
export function readAudit(stdout: string): { lines: string[]; isBad: boolean } {
  const said = parse(stdout)
  const { success, output } = v.safeParse(auditReportSchema, said)
  if (!success)
    return {
      lines: [`No package was checked: the registry does not report vulnerabilities (${getAuditFailureReason(said)}).`],
      isBad: false,
    }
  const found = Object.entries(output.vulnerabilities)
  const lines = found.map(
    ([name, { severity, range, via }]) =>
      `${severity}: ${name} ${range}: ` +
      `${via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`)).join('; ')}`,
  )
  return {
    lines: [...lines, `${found.length} of ${output.metadata.dependencies.total} packages have known vulnerabilities.`],
    isBad: found.some(([, { severity }]) => severity === 'high' || severity === 'critical'),
  }
}

function getAuditFailureReason(said: unknown): string {
  const { success, output } = v.safeParse(v.object({ message: v.string() }), said)
  // Leave out the URL, because it may be a private registry's address.
  return success ? (output.message.split(' - ')[0] ?? '').replaceAll(/\w+:\/\/\S+/g, '…') : 'no answer that can be read'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
