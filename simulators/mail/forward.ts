import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { AcceptedMail } from './mail-store.ts'

const retryDelaysMs = [0, 100, 500, 2_000]

export function createForwarder(url: string | undefined, newMessageIds: boolean) {
  const closeController = new AbortController()
  const transport = url === undefined ? null : createTransport({ url, tls: { rejectUnauthorized: false } })
  return {
    async pass({ from, to, source }: AcceptedMail): Promise<void> {
      const raw = Buffer.from(newMessageIds ? withNewMessageId(source) : source, 'latin1')
      for (const ms of transport ? retryDelaysMs : []) {
        try {
          await delay(ms, undefined, { signal: closeController.signal })
          await transport!.sendMail({ envelope: { from, to }, raw })
          return
        } catch {
          if (closeController.signal.aborted) return
        }
      }
    },
    close(): void {
      closeController.abort()
      transport?.close()
    },
  }
}

const withNewMessageId = (source: string): string =>
  source.replace(/^Message-ID: .*$/im, () => `Message-ID: <${randomUUID()}@relay.example>`)
