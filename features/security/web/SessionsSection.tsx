import { useId, useRef, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { type MutationResult, useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { endOtherSessions, endSession, type OwnSession } from '../security.contract.ts'
import { getDeviceName, isHandheld } from './device-name.ts'
import { Timestamp } from './Timestamp.tsx'
import { eventsQuery, sessionsQuery } from './security.queries.ts'
import * as s from './security.module.css'

export function SessionsSection() {
  const { data: sessions, error, refetch } = useQuery({ ...sessionsQuery(useApi()), retryOnMount: false })
  if (sessions) return <SessionList sessions={sessions} />
  if (error)
    return <Unavailable what="Your devices can’t be loaded right now." error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      <Skeleton lines={5} />
    </Card>
  )
}

function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  const [statusMessage, setStatusMessage] = useState('')
  const headingRef = useRef<HTMLHeadingElement>(null)
  const otherSessions = sessions.filter(({ is_current }) => !is_current)

  // The pressed button disappears along with its session, so move the keyboard focus to the heading.
  function announceSessionEnd(description: string) {
    setStatusMessage(description)
    headingRef.current?.focus()
  }

  return (
    <Card className={s.card}>
      <h2 ref={headingRef} tabIndex={-1} className={s.heading}>
        Where you’re logged in
      </h2>
      <div role="status">{statusMessage && <Banner kind="good">{statusMessage}</Banner>}</div>
      <ul className={s.list}>
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={announceSessionEnd} />
        ))}
      </ul>
      {otherSessions.length > 0 ? (
        <EndOtherSessions onEnd={announceSessionEnd} />
      ) : (
        <p className={s.note}>You’re not logged in anywhere else.</p>
      )}
    </Card>
  )
}

function SessionItem({ session, onEnd }: { session: OwnSession; onEnd: (what: string) => void }) {
  const api = useApi()
  const id = useId()
  const name = getDeviceName(session) ?? 'Unknown browser'
  const endSessionMutation = useEndSessions(
    () => api.call(endSession, { params: { id: session.id } }).then(({ data }) => data.sessions),
    () => onEnd(`${name} is logged out.`),
  )
  return (
    <li>
      <div className={s.session}>
        <Icon name={isHandheld(session) ? 'phone' : 'computer'} className={s.icon ?? ''} />
        <div id={id}>
          <p className={s.name}>
            {name}
            {session.is_current && <Pill kind="good">This device</Pill>}
          </p>
          <p className={s.when}>
            {session.is_current ? (
              <span key="now">In use now</span>
            ) : (
              <span key="seen">
                Last seen <Timestamp at={session.last_seen} />
              </span>
            )}
          </p>
        </div>
        {!session.is_current && (
          <EndSessionButton ending={endSessionMutation} aria-describedby={id}>
            Log out
          </EndSessionButton>
        )}
      </div>
      <EndSessionError of={endSessionMutation} />
    </li>
  )
}

function EndOtherSessions({ onEnd }: { onEnd: (what: string) => void }) {
  const api = useApi()
  const endSessionsMutation = useEndSessions(
    () => api.call(endOtherSessions, {}).then(({ data }) => data.sessions),
    () => onEnd('You’re logged out everywhere else.'),
  )
  return (
    <div className={s.others}>
      <EndSessionButton ending={endSessionsMutation}>Log out everywhere else</EndSessionButton>
      <EndSessionError of={endSessionsMutation} />
    </div>
  )
}

function EndSessionButton({
  ending,
  children,
  ...look
}: {
  ending: MutationResult
  children: string
  'aria-describedby'?: string
}) {
  return (
    <BusyButton
      {...look}
      kind="quiet"
      className={s.end ?? ''}
      busy={ending.isPending}
      busyText="Logging out"
      onClick={() => void ending.mutate()}
    >
      {children}
    </BusyButton>
  )
}

const EndSessionError = ({ of }: { of: MutationResult }) => (
  <div role="alert" className={s.failure}>
    {of.isError && <FailureBanner error={of.error} />}
  </div>
)

/** A 404 response means that the session has already ended, which counts as a success. */
function useEndSessions(endSessions: () => Promise<readonly OwnSession[]>, onEnd: () => void): MutationResult {
  const api = useApi()
  const client = useQueryClient()
  const { queryKey, queryFn } = sessionsQuery(api)
  return useMutation({
    async mutationFn() {
      const remainingSessions = await endSessions().catch((failure: unknown) => {
        if (failure instanceof ApiError && failure.status === 404) return queryFn()
        throw failure
      })
      client.setQueryData<readonly OwnSession[]>(queryKey, remainingSessions)
    },
    onSuccess() {
      onEnd()
      void client.refetchQuery(eventsQuery(api))
    },
  })
}
