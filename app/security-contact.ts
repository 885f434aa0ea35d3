import type { FastifyInstance } from 'fastify'
import { realNow } from '#kit/server/clock.ts'

/**
 * Serves security.txt (RFC 9116). `Expires` is always half a year ahead, because the contact stays valid for as long as
 * we serve the file.
 */
export function serveSecurityContact(
  app: FastifyInstance,
  { contact, publicUrl }: { contact: string | null; publicUrl: string },
): void {
  if (contact === null) return
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = realNow()
      .add({ hours: 24 * 182 })
      .round('second')
      .toString()
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
