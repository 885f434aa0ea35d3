import { startTcpProxy } from '#quality/support/tcp-proxy.ts'
import type { DatabaseProxy } from './injector.ts'

export async function startDatabaseProxy(
  url: string,
): Promise<DatabaseProxy & { url: string; port: number; close(): Promise<void> }> {
  const there = new URL(url)
  const proxy = await startTcpProxy({ host: there.hostname, port: Number(there.port || 5432) })
  const here = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) })
  let isSilent = false
  return {
    url: here.href,
    port: proxy.port,
    async cut() {
      proxy.cut()
    },
    silence() {
      isSilent = true
      proxy.silence()
    },
    async mend() {
      // Close connections that were silenced, so that both ends find out that these connections are broken.
      if (isSilent) proxy.cut()
      isSilent = false
      proxy.restore()
    },
    close: () => proxy.close(),
  }
}
