import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { fetchFile, saveFile } from '#kit/web/desk/files.ts'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { withPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { downloadAudit, mostFileRows } from '../audit.contract.ts'
import { type AuditWish, queryOf } from './audit.queries.ts'
import * as s from './team.module.css'

export function TrailFile({ wish }: { wish: AuditWish }) {
  const api = useApi()
  const [isTaken, setTaken] = useState(false)
  const taking = useMutation({
    mutationFn: () => inWords(withPasskey(api, () => fetchFile(downloadAudit, {}, queryOf({ ...wish, before: null })))),
    onSuccess(text) {
      saveFile('audit.csv', text)
      setTaken(true)
    },
  })
  const most = mostFileRows.toLocaleString('en-NZ')
  return (
    <Panel title="Download" note={`CSV, at most the newest ${most} rows`}>
      <div className={s.file}>
        <p>
          The file has the entries that match the filter above. If there are more, choose a day. You may need to confirm
          with your passkey. The download is logged.
        </p>
        <Failure error={taking.error} />
        <DenseButton
          icon="download"
          aria-busy={taking.isPending || undefined}
          onClick={() => taking.isPending || void taking.mutate()}
        >
          Download
        </DenseButton>
        <p role="status">{isTaken && 'The file audit.csv is in your downloads.'}</p>
      </div>
    </Panel>
  )
}
