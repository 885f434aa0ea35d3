import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

type ReceivedMail = { from: string; to: string[]; data: string }
type RelayReplies = { mail?: string; rcpt?: string; data?: string; end?: string }

export async function startSmtpRelay(answers: RelayReplies = {}) {
  const receivedMails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket, answers, receivedMails)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: receivedMails,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function serve(socket: Socket, answers: RelayReplies, received: ReceivedMail[]): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let mail: ReceivedMail = { from: '', to: [], data: '' }
  let inData = false
  say('220 relay')
  createInterface(socket).on('line', (line) => {
    if (inData && line === '.') {
      inData = false
      if (!answers.end) received.push(mail)
      return say(answers.end ?? '250 taken')
    }
    if (inData) return void (mail.data += `${line}\n`)
    const command = line.slice(0, 4).toUpperCase()
    if (command === 'EHLO') return say('250 relay')
    if (command === 'MAIL') {
      mail = { from: line, to: [], data: '' }
      return say(answers.mail ?? '250 ok')
    }
    if (command === 'RCPT') {
      mail.to.push(line)
      return say(answers.rcpt ?? '250 ok')
    }
    if (command === 'DATA') {
      inData = !answers.data
      return say(answers.data ?? '354 go on')
    }
    say(command === 'QUIT' ? '221 bye' : '502 not here')
  })
}
