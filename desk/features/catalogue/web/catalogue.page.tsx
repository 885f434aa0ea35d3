import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import type { DeskCatalogue } from '../catalogue.contract.ts'
import { catalogueQuery } from './catalogue.queries.ts'
import { DownloadLink } from './DownloadLink.tsx'
import { FolderPanel } from './FolderPanel.tsx'
import { ProductsPanel } from './ProductsPanel.tsx'
import { UploadDrawer } from './UploadDrawer.tsx'
import { DraftsPanel, VersionsPanel } from './VersionsPanel.tsx'
import * as s from './catalogue.module.css'

export default function CataloguePage() {
  const { data, error, refetch } = useQuery(catalogueQuery(useApi()))
  if (data) return <Catalogue catalogue={data} />
  return (
    <>
      <h1>Catalogue</h1>
      {error ? (
        <Unavailable what="We couldn’t load the catalogue." error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  )
}

function Catalogue({ catalogue }: { catalogue: DeskCatalogue }) {
  const navigate = useNavigate()
  const isAdmin = hasRole(useMe(), ['admin'])
  const [isUploadOpen, setUploadOpen] = useState(false)
  const goToDraft = (number: number) => navigate(`/catalogue/drafts/${number}/`)
  const currentVersion = catalogue.versions.find(({ state }) => state === 'for sale')
  return (
    <>
      <header className={s.head}>
        <h1>Catalogue</h1>
        <div className={s.acts}>
          {currentVersion && <DownloadLink number={currentVersion.number}>Download current catalogue</DownloadLink>}
          {isAdmin && (
            <DenseButton kind="primary" icon="tag" onClick={() => setUploadOpen(true)}>
              New draft
            </DenseButton>
          )}
        </div>
      </header>
      <DraftsPanel drafts={catalogue.drafts} />
      <VersionsPanel versions={catalogue.versions} />
      <FolderPanel folder={catalogue.folder} isAdmin={isAdmin} onDraft={goToDraft} />
      <ProductsPanel products={catalogue.products} />
      <UploadDrawer open={isUploadOpen} onClose={() => setUploadOpen(false)} onDone={goToDraft} />
    </>
  )
}
