import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { FactStrip } from '#kit/web/desk/FactStrip.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import type { VersionPage as Shown } from '../catalogue.contract.ts'
import { CancelVersionDrawer } from './CancelVersionDrawer.tsx'
import { stateTones, stateLabels, timeLabel } from './catalogue.labels.ts'
import { versionQuery } from './catalogue.queries.ts'
import { ChangesPanel } from './ChangesPanel.tsx'
import { DownloadLink } from './DownloadLink.tsx'
import * as s from './catalogue.module.css'

export default function VersionPage({ params: { number = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(versionQuery(useApi(), number))
  if (data) return <Version shown={data} onChanged={() => void refetch()} />
  if (error)
    return (
      <>
        <h1>Version {number}</h1>
        <Unavailable what="We couldn’t load this version." error={error} onRetry={() => void refetch()} />
      </>
    )
  return number ? <Skeleton lines={8} /> : <DeskNotFound />
}

function Version({ shown: { version, changes }, onChanged }: { shown: Shown; onChanged: () => void }) {
  const { zone } = useBootstrap().market
  const isAdmin = hasRole(useMe(), ['admin'])
  const [isCallOffOpen, setCallOffOpen] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const { number, state } = version
  return (
    <>
      <nav aria-label="Breadcrumb" className={s.crumbs}>
        <Link href="/catalogue/">Catalogue</Link>
      </nav>
      <header className={s.head}>
        <h1>Version {number}</h1>
        <TonePill tone={stateTones[state]}>{stateLabels[state]}</TonePill>
        <div className={s.acts}>
          <DownloadLink number={number}>Download</DownloadLink>
          {isAdmin && state === 'to come' && (
            <DenseButton icon="close" onClick={() => setCallOffOpen(true)}>
              Cancel version
            </DenseButton>
          )}
        </div>
      </header>
      <Notices said={message && <Banner kind="good">{message}</Banner>} />
      <FactStrip facts={listVersionFacts(version, zone)} />
      <ChangesPanel
        changes={changes}
        note={
          state === 'to come' || state === 'called off'
            ? 'compared with what is on sale now'
            : 'compared with the version before'
        }
      />
      <CancelVersionDrawer
        version={version}
        open={isCallOffOpen}
        onClose={() => setCallOffOpen(false)}
        onDone={(text) => {
          setCallOffOpen(false)
          setMessage(text)
          onChanged()
        }}
      />
    </>
  )
}

const listVersionFacts = ({ from, by, made, approved_by, why }: Shown['version'], zone: string) => [
  { label: 'From', value: timeLabel(from, zone) },
  { label: 'Made by', value: `${by}, ${timeLabel(made, zone)}` },
  { label: 'Approved by', value: approved_by ?? '–' },
  { label: 'Reason', value: why || '–' },
]
