import { NothingHere } from '#kit/web/desk/NothingHere.tsx'

/** Page for every unknown address of the desk. */
export default function NotFoundPage() {
  return <NothingHere />
}
