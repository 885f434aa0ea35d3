import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Approvals } from '#desk/features/approvals/web/Approvals.tsx'
import { approvalsQuery } from '#desk/features/approvals/web/approvals.queries.ts'
import { staffMessages } from '#desk/features/staff/staff.contract.ts'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { TeamTable } from './TeamTable.tsx'
import { TeamDrawer, type TeamAction } from './TeamDrawer.tsx'
import { teamQuery } from './team.queries.ts'
import * as s from './team.module.css'

export default function TeamPage() {
  const api = useApi()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(teamQuery(api))
  const [action, setAction] = useState<TeamAction | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const isAdmin = hasRole(useMe(), ['admin'])
  const refreshTeam = () => {
    void refetch()
    void client.refetchQuery(approvalsQuery(api))
  }
  const openActionDrawer = (next: TeamAction) => {
    setMessage(null)
    setAction(next)
  }
  return (
    <>
      <PageHead title="Team">
        <span className={s.wishes}>
          <DenseButton href="/limits/" icon="card">
            Limits
          </DenseButton>
          <DenseButton href="/audit/" icon="shield">
            Audit
          </DenseButton>
        </span>
      </PageHead>
      <div role="status">{message && <Banner kind="good">{message}</Banner>}</div>
      <Approvals only="staff" onDecided={() => void refetch()} />
      <Panel
        title="People"
        inset={false}
        note={isAdmin ? '' : staffMessages.leadReads}
        action={
          isAdmin && (
            <DenseButton kind="primary" icon="user" onClick={() => openActionDrawer({ act: 'invite' })}>
              Invite
            </DenseButton>
          )
        }
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the team." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={4} />}
        {data && <TeamTable people={data} onWish={isAdmin ? openActionDrawer : null} />}
      </Panel>
      <TeamDrawer wish={action} onClose={() => setAction(null)} onChanged={refreshTeam} onDone={setMessage} />
    </>
  )
}
