import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunReport, StepReport } from '#conformance/run-steps.ts'
import { runOperator } from '#operator/operator.ts'

export type Ran = {
  code: number
  steps: StepReport[]
  end: RunReport | null
  complaints: string[]
  differs: string[]
}

export type ConformanceOptions = {
  args?: string[]
  environment?: Record<string, string>
  beside?: Record<string, unknown>
}

export async function runConformance(
  suite: string,
  file: unknown,
  { args = [], environment = {}, beside = {} }: ConformanceOptions = {},
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    for (const [name, content] of Object.entries({ ...beside, 'sandbox.json': file }))
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    const [said, complaints]: [string[], string[]] = [[], []]
    const code = await runOperator(['conformance', suite, '--file', join(folder, 'sandbox.json'), '--json', ...args], {
      dataDir: folder,
      environment,
      print: (line) => said.push(line),
      printError: (line) => complaints.push(line),
      ask: async () => false,
    })
    const lines = said.map((line) => JSON.parse(line) as StepReport | RunReport)
    const steps = lines.filter((line) => 'step' in line)
    const end = lines.find((line) => 'left' in line) ?? null
    const differingSteps = steps.filter(({ verdict }) => verdict === 'differs').map(({ step }) => step)
    return { code, steps, end, complaints, differs: differingSteps }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
