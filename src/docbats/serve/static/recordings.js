// The recordings of transcripts: files that stay in this browser and are played beside the text.

const MEDIA = /\.(mp3|m4a|m4b|aac|mp4|m4v|mov|webm|weba|mkv|mka|ogg|oga|opus|ogv|flac|wav)$/i;
const VIDEO = /\.(mp4|m4v|mov|webm|mkv|ogv)$/i;

const recordings = new Map(); // from the id of a document to its recording

export const isRecording = ({ name }) => MEDIA.test(name);
const stem = (name) => name.replace(/\.[^.]*$/, "").toLowerCase();

// Each recording belongs to the document of the same name, or else to the one that is shown.
export function addRecordings(files, documents, shown) {
  for (const file of files) {
    const doc = documents.find(({ name }) => name && stem(name) === stem(file.name)) ?? shown;
    removeRecording(doc);
    recordings.set(doc.id, { name: file.name, src: URL.createObjectURL(file), at: 0 });
  }
}

export function removeRecording({ id }) {
  const found = recordings.get(id);
  if (found) URL.revokeObjectURL(found.src);
  recordings.delete(id);
}

export const recordingOf = ({ id }) => recordings.get(id)?.name ?? null;

// Play the recording of a document beside its text, from where it was; return whether it has one.
export function playRecording({ id }, view) {
  const recording = recordings.get(id);
  if (!recording || view.player) return Boolean(recording);
  const { name, src, at } = recording;
  view.play(src, { name, isVideo: VIDEO.test(name) });
  const { media } = view.player;
  if (at) media.currentTime = at;
  media.addEventListener("timeupdate", () => { recording.at = media.currentTime; });
  return true;
}
