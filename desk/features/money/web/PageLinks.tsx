import { DenseButton } from '#kit/web/desk/DenseButton.tsx'

type Props = {
  path: string
  query?: Record<string, string>
  before: string | null
  next: string | null
  words?: [string, string]
}

export function PageLinks({ path, query = {}, before, next, words: [first, more] = ['Newest', 'Older'] }: Props) {
  const to = (added: Record<string, string>) => {
    const queryString = new URLSearchParams({ ...query, ...added }).toString()
    return queryString ? `${path}?${queryString}` : path
  }
  return (
    <>
      {before && (
        <DenseButton small href={to({})}>
          {first}
        </DenseButton>
      )}{' '}
      {next && (
        <DenseButton small href={to({ before: next })}>
          {more}
        </DenseButton>
      )}
    </>
  )
}
