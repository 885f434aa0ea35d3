type Finding = { kind: string; call: string; what: string; fault: string }

export type AttackLog = {
  count(kind: string): void
  find(finding: Finding): void
  findings: readonly Finding[]
  table(): string
}

export function createAttackLog(): AttackLog {
  const counts = new Map<string, number>()
  const findings: Finding[] = []
  return {
    count: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    find: (finding) => void findings.push(finding),
    findings,
    table() {
      const countFindings = (kind: string) => findings.filter((finding) => finding.kind === kind).length
      const rows = [...counts].map(([kind, tries]) => [kind, String(tries), String(countFindings(kind))])
      const total = [
        'in all',
        String([...counts.values()].reduce((sum, count) => sum + count, 0)),
        String(findings.length),
      ]
      return [['kind', 'tries', 'findings'], ...rows, total]
        .map(([kind = '', tries = '', found = '']) => `${kind.padEnd(28)}${tries.padStart(7)}${found.padStart(10)}`)
        .join('\n')
    },
  }
}
