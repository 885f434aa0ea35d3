import { type FormEvent, useRef } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { type ResultGroup, maxSearchTextLength } from '../search.contract.ts'
import { noResultsText } from './no-results.labels.ts'
import { ResultText } from './ResultText.tsx'
import { searchQuery, searchTextFromUrl } from './search.queries.ts'
import * as s from './find.module.css'

export default function FindPage() {
  const text = searchTextFromUrl(useRawLocation().search)
  return (
    <>
      <h1>Find</h1>
      <SearchForm key={text} text={text} />
      {text ? (
        <ResultsSection text={text} />
      ) : (
        <p className="muted">
          Search by number, name, email, order or SIM, or by the last four digits of a number, SIM or card.
        </p>
      )}
    </>
  )
}

function SearchForm({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  function find(event: FormEvent) {
    event.preventDefault()
    navigate(`/find/?${new URLSearchParams({ q: field.current?.value.trim() ?? '' })}`)
  }
  return (
    <form role="search" aria-label="Find" action="/find/" method="get" className={s.form} onSubmit={find}>
      <label className={s.field}>
        <DeskIcon name="search" />
        <span className="visually-hidden">Search text</span>
        <input
          ref={field}
          name="q"
          type="search"
          defaultValue={text}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={maxSearchTextLength}
        />
      </label>
      <Button type="submit">Find</Button>
      <p className={s.note}>Searches are logged.</p>
    </form>
  )
}

function ResultsSection({ text }: { text: string }) {
  const { data, error, refetch } = useQuery(searchQuery(useApi(), text))
  if (error && !data)
    return <Unavailable what="We couldn’t search for that." error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  if (data.groups.length === 0) return <p role="status">{noResultsText(data)}</p>
  return data.groups.map((group) => <Group key={group.kind} group={group} />)
}

function Group({ group: { title, rows, more, too_long: tooLong } }: { group: ResultGroup }) {
  return (
    <Panel title={title} inset={false} {...(more && { foot: 'There are more results. Be more specific.' })}>
      {tooLong && <Banner kind="warn">This search took too long and was stopped. Be more specific.</Banner>}
      <ul className={s.rows}>
        {rows.map((row) => (
          <li key={`${row.hit} ${row.href}`}>
            <Link href={row.href} className={s.row}>
              <ResultText row={row} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
