import type { Answered, Route } from './route.ts'
import type { Visit } from './visit.ts'

/** Who calls: `presumed` until it is `known`, which takes a way to the database and back. */
export type Caller = { presumed: Visit; known: Promise<Visit> }

/**
 * Answers a call that may be asked ahead while it is still being looked up who calls, for whoever it was the last time: both go to the
 * database in one write. The answer is given to nobody but the visitor it was asked for: where it is another, or none any more, it is
 * thrown away and asked for anew.
 */
export async function answerAhead(
  { isAhead }: Route,
  { presumed, known }: Caller,
  answerTo: (visit: Visit) => Promise<Answered>,
): Promise<Answered> {
  if (!isAhead) return answerTo(await known)
  const early = answerTo(presumed)
  // It may be nobody's.
  early.catch(() => {})
  const visit = await known
  return isSame(visit, presumed) ? early : answerTo(visit)
}

const isSame = (one: Visit, other: Visit): boolean =>
  one.session.token === other.session.token &&
  one.session.id === other.session.id &&
  one.user?.id === other.user?.id &&
  one.user?.emailVerified === other.user?.emailVerified
