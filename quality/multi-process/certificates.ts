import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const caScriptPath = join(import.meta.dirname, '../../deploy/make-ca.sh')

export function makeCertificates(folder: string): string {
  const { status, stderr } = spawnSync('sh', [caScriptPath, folder, 'localhost'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`make-ca.sh: ${stderr.trim()}`)
  return join(folder, 'ca.crt')
}
