import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { fetchFile, saveFile } from '#kit/web/desk/file-transfer.ts'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { downloadAudit, maxFileRows } from '../audit.contract.ts'
import { type AuditUrlFilter, toQuery } from './audit.queries.ts'
import * as s from './team.module.css'

export function AuditExport({ wish }: { wish: AuditUrlFilter }) {
  const api = useApi()
  const [isDownloaded, setDownloaded] = useState(false)
  const downloadMutation = useMutation({
    mutationFn: () =>
      withFormErrors(retryWithPasskey(api, () => fetchFile(downloadAudit, {}, toQuery({ ...wish, before: null })))),
    onSuccess(file) {
      saveFile('audit.csv', file)
      setDownloaded(true)
    },
  })
  const maxRowsText = maxFileRows.toLocaleString('en-NZ')
  return (
    <Panel title="Download" note={`CSV, the newest ${maxRowsText} rows at most`}>
      <div className={s.file}>
        <p>
          The file has the entries that match the filter above. If there are too many, choose a single day. You may need
          to confirm with your passkey. The download is logged.
        </p>
        <ErrorBanner error={downloadMutation.error} />
        <DenseButton
          icon="download"
          aria-busy={downloadMutation.isPending || undefined}
          onClick={() => downloadMutation.isPending || void downloadMutation.mutate()}
        >
          Download
        </DenseButton>
        <p role="status">{isDownloaded && 'The file audit.csv is in your downloads.'}</p>
      </div>
    </Panel>
  )
}
