import { type ChangeEvent, type FormEvent, useId, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { sendFile } from '#kit/web/desk/file-transfer.ts'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { simLoadMessages, maxSimLoadBytes, maxSimLoadLines, uploadSimLoad } from '../sim-loads.contract.ts'
import { formatCount } from './count.labels.ts'
import * as s from './stock.module.css'

const formError = (sentence: string): ApiError => new ApiError(400, { __all__: [sentence] })

export default function NewLoadPage() {
  const id = useId()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [share, setShare] = useState(0)
  const uploadMutation = useMutation({
    async mutationFn() {
      if (!file) throw formError(simLoadMessages.noFile)
      if (file.size > maxSimLoadBytes) throw formError(simLoadMessages.tooLarge)
      setShare(0)
      const query = { name: file.name.slice(0, 120) }
      return withFormErrors(
        sendFile<{ id: string; known: boolean }>(uploadSimLoad, { query, file, onProgress: setShare }),
      )
    },
    onSuccess: ({ id: load, known }) => navigate(`/stock/loads/${load}/${known ? '?known=1' : ''}`),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!uploadMutation.isPending) void uploadMutation.mutate()
  }
  return (
    <>
      <header className={s.head}>
        <h1>Load SIM packs</h1>
      </header>
      <Panel title="File" note="nothing is loaded until you confirm">
        <form onSubmit={send} className={s.send} aria-label="Upload a file of SIM packs">
          <label htmlFor={id}>CSV file</label>
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            aria-describedby={`${id}hint`}
            onChange={(event: ChangeEvent<HTMLInputElement>) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
          <p id={`${id}hint`} className="muted">
            Its first line is <code>iccid,msisdn</code> or <code>iccid,msisdn,puk</code>. Then one SIM pack per line. At
            most 20 MB and {formatCount(maxSimLoadLines)} lines.
          </p>
          <ErrorBanner error={uploadMutation.error} />
          {uploadMutation.isPending && <Progress label="Upload progress" value={Math.round(share * 100)} max={100} />}
          <div className={s.acts}>
            <DenseButton href="/stock/">Back</DenseButton>
            <DenseButton type="submit" kind="primary" aria-busy={uploadMutation.isPending || undefined}>
              {uploadMutation.isPending ? 'Uploading' : 'Upload and check'}
            </DenseButton>
          </div>
        </form>
      </Panel>
    </>
  )
}
