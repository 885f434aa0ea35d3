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
import { People } from './People.tsx'
import { TeamDrawer, type TeamWish } from './TeamDrawer.tsx'
import { teamQuery } from './team.queries.ts'
import * as s from './team.module.css'

export default function TeamPage() {
  const api = useApi()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(teamQuery(api))
  const [wish, setWish] = useState<TeamWish | null>(null)
  const [said, say] = useState<string | null>(null)
  const refresh = () => {
    void refetch()
    void client.refetchQuery(approvalsQuery(api))
  }
  const begin = (next: TeamWish) => {
    say(null)
    setWish(next)
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
      <div role="status">{said && <Banner kind="good">{said}</Banner>}</div>
      <Approvals only="staff" onDecided={() => void refetch()} />
      <Panel
        title="People"
        inset={false}
        action={
          <DenseButton kind="primary" icon="user" onClick={() => begin({ act: 'invite' })}>
            Invite
          </DenseButton>
        }
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the team." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={4} />}
        {data && <People people={data} onWish={begin} />}
      </Panel>
      <TeamDrawer wish={wish} onClose={() => setWish(null)} onChanged={refresh} onDone={say} />
    </>
  )
}
