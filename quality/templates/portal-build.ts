import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export default function setup(): void {
  const program = join(import.meta.dirname, '../../app/build.ts')
  const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The portal could not be built.')
}
