import type { StaffView } from '#app/operator/staff.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, refuse, show } from '../command.ts'

export const staffCommands: Command[] = [
  {
    usage: 'staff add EMAIL',
    look: 'staff list',
    options: { name: { type: 'string' }, role: { type: 'string' }, lead: { type: 'boolean' } },
    says: 'invite a person to the desk, or one who lost their passkey: mails them the link, which works once, within 24 hours',
    run: (desk, { names: [email = ''], options: { name, role, lead } }) =>
      add(desk, { email: decodeURIComponent(email), name, roles: String(role ?? '').split(','), lead: lead === true }),
  },
  { usage: 'staff list', says: 'who works at the desk, and with which roles', run: list },
  {
    usage: 'staff suspend EMAIL',
    look: 'staff list',
    says: 'end all that a person may do at the desk, at once',
    run: (desk, { names: [email = ''] }) => suspend(desk, decodeURIComponent(email)),
  },
]

async function add(desk: CommandDesk, person: Record<string, unknown>): Promise<number> {
  const answer = await call(desk.caller, 'POST', '/staff', { json: person })
  if (answer.status !== 200) return refuse(desk, answer)
  const { sent_to: email } = answer.body as { sent_to: string }
  return show(desk, answer.body, [`The invitation is on its way to ${email}. Its link works once, within 24 hours.`])
}

async function list(desk: CommandDesk): Promise<number> {
  const answer = await call(desk.caller, 'GET', '/staff')
  if (answer.status !== 200) return refuse(desk, answer)
  const staff = answer.body as StaffView[]
  return show(desk, staff, staff.length === 0 ? ['Nobody works at the desk yet.'] : staff.map(lineOf))
}

const lineOf = ({ email, name, roles, lead, suspended }: StaffView): string =>
  `${name}  ${email}  ${roles.join(', ')}${lead ? ', lead' : ''}${suspended ? `  suspended ${suspended}` : ''}`

async function suspend(desk: CommandDesk, email: string): Promise<number> {
  const answer = await call(desk.caller, 'POST', '/staff/suspend', { json: { email } })
  return answer.status === 200
    ? show(desk, answer.body, ['They are signed out, and cannot sign in.'])
    : refuse(desk, answer)
}
