import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import type { DraftPage as Shown } from '../catalogue.contract.ts'
import { timeLabel } from './catalogue.labels.ts'
import { draftQuery } from './catalogue.queries.ts'
import { ChangesPanel } from './ChangesPanel.tsx'
import { DraftNotices } from './DraftNotices.tsx'
import { DeleteDraft } from './DeleteDraft.tsx'
import { PublishDrawer } from './PublishDrawer.tsx'
import { UploadDrawer } from './UploadDrawer.tsx'
import * as s from './catalogue.module.css'

export default function DraftPage({ params: { number = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(draftQuery(useApi(), number))
  if (data) return <Draft shown={data} onChanged={() => void refetch()} />
  if (error)
    return (
      <>
        <h1>Draft {number}</h1>
        <Unavailable what="We couldn’t load this draft." error={error} onRetry={() => void refetch()} />
      </>
    )
  return number ? <Skeleton lines={8} /> : <DeskNotFound />
}

function Draft({ shown, onChanged }: { shown: Shown; onChanged: () => void }) {
  const { zone } = useBootstrap().market
  const navigate = useNavigate()
  const isAdmin = hasRole(useMe(), ['admin'])
  const [openDrawer, setOpenDrawer] = useState<'publish' | 'upload' | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const { draft, changes, asked } = shown
  const isOpen = draft.published_as === null
  const handleDone = (text: string) => {
    setOpenDrawer(null)
    setMessage(text)
    onChanged()
  }
  return (
    <>
      <nav aria-label="Breadcrumb" className={s.crumbs}>
        <Link href="/catalogue/">Catalogue</Link>
      </nav>
      <header className={s.head}>
        <h1>Draft {draft.number}</h1>
        <TonePill tone={isOpen ? 'brand' : 'plain'}>{getDraftState(shown)}</TonePill>
        <p className="muted">
          {draft.source}, by {draft.by}, {timeLabel(draft.made, zone)}
        </p>
        {isAdmin && isOpen && (
          <div className={s.acts}>
            <DeleteDraft draft={draft} onDone={() => navigate('/catalogue/')} />
            <DenseButton onClick={() => setOpenDrawer('upload')}>Replace file</DenseButton>
            {(!asked || asked.is_stale) && changes.length > 0 && (
              <DenseButton kind="primary" onClick={() => setOpenDrawer('publish')}>
                Publish
              </DenseButton>
            )}
          </div>
        )}
      </header>
      <DraftNotices shown={shown} said={message} />
      <ChangesPanel changes={changes} note="compared with what is on sale now" />
      <PublishDrawer
        shown={shown}
        open={openDrawer === 'publish'}
        onClose={() => setOpenDrawer(null)}
        onAsked={handleDone}
        onPublished={(version) => navigate(`/catalogue/versions/${version}/`)}
      />
      <UploadDrawer
        draft={draft}
        open={openDrawer === 'upload'}
        onClose={() => setOpenDrawer(null)}
        onDone={() => handleDone('This draft’s file was replaced.')}
      />
    </>
  )
}

function getDraftState({ draft, asked }: Shown): string {
  if (draft.published_as !== null) return 'Published'
  return asked && !asked.is_stale ? 'Waiting for approval' : 'Not published'
}
