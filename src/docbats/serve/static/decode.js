// The text of a file, where the page can be sure of its encoding.

// With fewer bytes beyond ASCII, the service cannot detect an encoding either.
const MIN_BYTES_TO_DETECT = 8;

const decodeAs = (encoding, bytes) => new TextDecoder(encoding, { fatal: true }).decode(bytes);

// Return the text, null where the service has to read the file, and a note on how it was read.
export function decode(bytes) {
  if (bytes.includes(0)) return { content: null, note: "" };
  try {
    return { content: decodeAs("utf-8", bytes), note: "" };
  } catch {
    const beyondAscii = bytes.reduce((count, byte) => count + (byte > 127), 0);
    if (beyondAscii >= MIN_BYTES_TO_DETECT) return { content: null, note: "" };
    const note = "The file is not UTF-8 and was read as Windows-1252.";
    return { content: decodeAs("windows-1252", bytes), note };
  }
}
