import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { AcceptedMail } from './mail-store.ts'

const retryDelaysMs = [0, 100, 500, 2_000]

export function createForwarder(url: string | undefined, newMessageIds: boolean) {
  const abortController = new AbortController()
  const transport = url === undefined ? null : createTransport({ url, tls: { rejectUnauthorized: false } })
  return {
    async pass({ from, to, source }: AcceptedMail): Promise<void> {
      const raw = Buffer.from(newMessageIds ? replaceMessageId(source) : source, 'latin1')
      for (const ms of transport ? retryDelaysMs : []) {
        try {
          await delay(ms, undefined, { signal: abortController.signal })
          await transport!.sendMail({ envelope: { from, to }, raw })
          return
        } catch {
          if (abortController.signal.aborted) return
        }
      }
    },
    close(): void {
      abortController.abort()
      transport?.close()
    },
  }
}

const replaceMessageId = (source: string): string =>
  source.replace(/^Message-ID: .*$/im, () => `Message-ID: <${randomUUID()}@relay.example>`)
