import { NothingHere } from '#kit/web/desk/NothingHere.tsx'

/** For every address of the desk that is no page. */
export default function NotFoundPage() {
  return <NothingHere />
}
