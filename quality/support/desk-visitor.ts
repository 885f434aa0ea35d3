import { type Answer, newVisitor, type Visitor } from './visitor.ts'

export const demoStaff = {
  support: 'hine.walker@fantail.example',
  lead: 'mere.ngata@fantail.example',
  admin: 'jo.tan@fantail.example',
  /** A staff member who has the support and finance roles but is not a team lead. This person decides about the team lead's requests. */
  second: 'tom.reid@fantail.example',
} as const

/** Signs in a staff member with the demo's sign-in button, and returns the visitor. If the address is null, nobody is signed in. */
export async function newStaffVisitor(deskUrl: string, email: string | null = demoStaff.support): Promise<Visitor> {
  const visitor = newVisitor(deskUrl, '/api/desk/me/')
  const post = async (path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> => {
    // Start with a GET, so that the visitor has the same cookies as any browser before its first POST.
    if (!visitor.cookies().some(([name]) => name === 'desk_csrf')) await visitor.get('/api/desk/me/')
    return visitor.post(path, body, { 'x-csrftoken': new Map(visitor.cookies()).get('desk_csrf') ?? '', ...headers })
  }
  const staff = { ...visitor, post }
  if (email === null) return staff
  const { status, body } = await staff.post('/api/desk/sign-in/demo/', { email })
  if (status !== 200) throw new Error(`the desk answered ${status}: ${JSON.stringify(body)}`)
  return staff
}
