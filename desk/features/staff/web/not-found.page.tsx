import { NothingHere } from '#kit/web/desk/NothingHere.tsx'

export default function NotFoundPage() {
  return <NothingHere />
}
